/**
 * Questions of this CN to all others. In: a statement that is about the whole cluster. Out: what
 * every CN answers within a second, and who did not. Virtual threads ask and answer; event loops
 * only pass on.
 */
@NullMarked
package io.alrai.cn.ask;

import org.jspecify.annotations.NullMarked;
