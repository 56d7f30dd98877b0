/**
 * TPC-H over JDBC: schema, loader, the 22 queries, answer checks. In: the address of any MySQL
 * endpoint. Out: figures. Blocking.
 */
@NullMarked
package io.alrai.tpch;

import org.jspecify.annotations.NullMarked;
