/**
 * What one statement had done at the DNs, step by step: TRACE and SHOW TRACE. Comes in: a statement
 * that is to be traced, the branches that it takes, and what is sent on them. Goes out: steps, once
 * the statement has ended. All of it is on the event loop of the client.
 */
@NullMarked
package io.alrai.cn.trace;

import org.jspecify.annotations.NullMarked;
