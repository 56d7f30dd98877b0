/** Locks over whole clusters, as backups take them. */
@NullMarked
package io.alrai.e2e.lock;

import org.jspecify.annotations.NullMarked;
