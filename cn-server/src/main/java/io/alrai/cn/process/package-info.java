/**
 * The processes of a cluster and how they are put together: the roles, in one JVM or each in its
 * own, their configuration, leases and directories.
 */
@NullMarked
package io.alrai.cn.process;

import org.jspecify.annotations.NullMarked;
