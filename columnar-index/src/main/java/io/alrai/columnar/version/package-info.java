/** Which segments and deltas a reader at a timestamp sees, and when they may be freed. */
@NullMarked
package io.alrai.columnar.version;

import org.jspecify.annotations.NullMarked;
