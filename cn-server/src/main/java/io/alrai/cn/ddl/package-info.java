/** Runs DDL jobs over the shards, step by step, and takes up those whose CN has died. */
@NullMarked
package io.alrai.cn.ddl;

import org.jspecify.annotations.NullMarked;
