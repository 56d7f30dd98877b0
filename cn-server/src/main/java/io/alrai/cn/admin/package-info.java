/**
 * SET, SHOW, KILL and the other statements that the CN answers itself; DDL, table maintenance and
 * EXPLAIN are handed on from here. In: administrative statements, parsed. Out: results, and changes
 * of the session. Virtual threads.
 */
@NullMarked
package io.alrai.cn.admin;

import org.jspecify.annotations.NullMarked;
