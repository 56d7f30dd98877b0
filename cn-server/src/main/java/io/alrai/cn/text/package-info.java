/**
 * The texts that executors send to shards: a plan's template with its values, for a place and a
 * session. In: plans and values. Out: {@code Sql}.
 */
@NullMarked
package io.alrai.cn.text;

import org.jspecify.annotations.NullMarked;
