/** Clusters, plain mysqlds, SQL scripts and checkers for tests. Blocking; test threads. */
@NullMarked
package io.alrai.testing;

import org.jspecify.annotations.NullMarked;
