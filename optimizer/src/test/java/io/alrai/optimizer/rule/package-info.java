/** Rules of the analytical planner, each with trees that it rewrites and trees that it leaves. */
@NullMarked
package io.alrai.optimizer.rule;

import org.jspecify.annotations.NullMarked;
