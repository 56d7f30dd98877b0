/** Tests of DDL jobs, with mysqlds and CNs that die at every point. */
@NullMarked
package io.alrai.cn.ddl;

import org.jspecify.annotations.NullMarked;
