/**
 * What becomes of each system variable of MySQL: who has its value, who may set it, and what is
 * refused. Comes in: names. Goes out: what SET, SHOW VARIABLES and {@code @@name} go by. Plain
 * values; any thread.
 */
@NullMarked
package io.alrai.cn.variable;

import org.jspecify.annotations.NullMarked;
