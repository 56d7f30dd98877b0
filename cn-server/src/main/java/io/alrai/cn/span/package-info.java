/**
 * Spans of statements for OpenTelemetry collectors. Comes in: statements that have ended, with the
 * steps that were recorded of them. Goes out: spans, from a bounded queue, on a thread of its own;
 * event loops only put them there.
 */
@NullMarked
package io.alrai.cn.span;

import org.jspecify.annotations.NullMarked;
