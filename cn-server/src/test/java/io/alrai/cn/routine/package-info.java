/** Tests of procedures without servers. */
@NullMarked
package io.alrai.cn.routine;

import org.jspecify.annotations.NullMarked;
