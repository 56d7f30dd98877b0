/** Runs DDL jobs over the shards, step by step, and resumes them. */
@NullMarked
package io.alrai.cn.ddl;

import org.jspecify.annotations.NullMarked;
