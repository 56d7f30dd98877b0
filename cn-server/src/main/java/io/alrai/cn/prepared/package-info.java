/** The parameters of prepared statements and query attributes, as clients send them. */
@NullMarked
package io.alrai.cn.prepared;

import org.jspecify.annotations.NullMarked;
