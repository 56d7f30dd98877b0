/** What one statement had done at the DNs, step by step: TRACE and SHOW TRACE. */
@NullMarked
package io.alrai.cn.trace;

import org.jspecify.annotations.NullMarked;
