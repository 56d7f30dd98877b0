/**
 * TPC-C over JDBC: schema, loader, terminals, report, consistency conditions. In: the address of
 * any MySQL endpoint. Out: figures. One thread per terminal.
 */
@NullMarked
package io.alrai.tpcc;

import org.jspecify.annotations.NullMarked;
