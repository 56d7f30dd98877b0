/**
 * What the CN shows of the cluster as rows: the system schemas, status and figures of tables.
 * Virtual threads.
 */
@NullMarked
package io.alrai.cn.system;

import org.jspecify.annotations.NullMarked;
