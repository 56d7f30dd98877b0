/** Tests over real clusters, and the servers that they share. */
@NullMarked
package io.alrai.e2e;

import org.jspecify.annotations.NullMarked;
