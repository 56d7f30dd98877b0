/** Rows of the text protocol as rows of the binary one. */
@NullMarked
package io.alrai.cn.rows;

import org.jspecify.annotations.NullMarked;
