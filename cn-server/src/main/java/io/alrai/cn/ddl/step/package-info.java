/** The steps of each kind of DDL statement, forward and back. */
@NullMarked
package io.alrai.cn.ddl.step;

import org.jspecify.annotations.NullMarked;
