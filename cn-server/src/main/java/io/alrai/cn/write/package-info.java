/** Runs INSERT, UPDATE, DELETE, REPLACE and LOAD DATA over several places. Virtual threads. */
@NullMarked
package io.alrai.cn.write;

import org.jspecify.annotations.NullMarked;
