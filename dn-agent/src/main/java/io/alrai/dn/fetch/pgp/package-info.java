/**
 * What checks signatures by Bouncy Castle, which is not on the class path of a cluster's JVMs: its
 * classes are here and nowhere else. Any thread.
 */
@NullMarked
package io.alrai.dn.fetch.pgp;

import org.jspecify.annotations.NullMarked;
