/**
 * How many statements a CN has at work. In: statements that are about to begin. Out: a place, or
 * error 3168 after a while. Each event loop has places of its own, so that nothing is shared.
 */
@NullMarked
package io.alrai.cn.pressure;

import org.jspecify.annotations.NullMarked;
