/**
 * Brings rows of several DNs together on one mysqld, which computes what the CN cannot merge.
 * Virtual threads.
 */
@NullMarked
package io.alrai.cn.gather;

import org.jspecify.annotations.NullMarked;
