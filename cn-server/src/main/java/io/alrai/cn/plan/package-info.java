/** The plan cache: statement shape to plan, dropped when the catalog changes. */
@NullMarked
package io.alrai.cn.plan;

import org.jspecify.annotations.NullMarked;
