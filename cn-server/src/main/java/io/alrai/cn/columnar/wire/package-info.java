/**
 * What CNs and column nodes say to each other over Arrow Flight: records as JSON, errors, and the
 * proof that both know the cluster's secret. In: records. Out: bytes, and back. Any thread.
 */
@NullMarked
package io.alrai.cn.columnar.wire;

import org.jspecify.annotations.NullMarked;
