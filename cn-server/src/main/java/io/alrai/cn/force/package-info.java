/**
 * One member of a DN is made its group (docs/design/0080-force-leader.md). In: the statement. Out:
 * what would be lost, as its error, or the command that decides it. On the statement's thread,
 * which KILL interrupts.
 */
@NullMarked
package io.alrai.cn.force;

import org.jspecify.annotations.NullMarked;
