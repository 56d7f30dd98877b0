/** TPC-C on real servers. */
@NullMarked
package io.alrai.e2e.tpcc;

import org.jspecify.annotations.NullMarked;
