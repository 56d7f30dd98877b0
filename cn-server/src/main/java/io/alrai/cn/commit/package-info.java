/**
 * How a transaction over several DNs commits: prepare, decide, submit, finish. Event loop of the
 * session.
 */
@NullMarked
package io.alrai.cn.commit;

import org.jspecify.annotations.NullMarked;
