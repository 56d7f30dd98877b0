/**
 * Whether an account may do what a statement does. In: what the statement needs, found by the
 * planner once, and what the session's account has, an immutable object that follows the catalog.
 * Out: nothing, or MySQL's error. On event loops and virtual threads, without waiting.
 */
@NullMarked
package io.alrai.cn.privilege;

import org.jspecify.annotations.NullMarked;
