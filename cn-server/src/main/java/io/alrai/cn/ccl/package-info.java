/**
 * CCL rules: how many statements of a kind a CN runs at a time. The rules are settings of the
 * catalog; a plan is kept with those that may be about its shape, and a session's statement takes
 * its place under the one that is, or waits for it. Comes in: plans and statements, on event loops.
 * Goes out: a place, a wait that holds no thread, or an error.
 */
@NullMarked
package io.alrai.cn.ccl;

import org.jspecify.annotations.NullMarked;
