/**
 * What every executor of a statement has: its session, its connections, its outcome and its
 * warnings.
 */
@NullMarked
package io.alrai.cn.statement;

import org.jspecify.annotations.NullMarked;
