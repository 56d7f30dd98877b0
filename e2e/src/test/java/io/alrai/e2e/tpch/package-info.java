/** TPC-H on real servers. */
@NullMarked
package io.alrai.e2e.tpch;

import org.jspecify.annotations.NullMarked;
