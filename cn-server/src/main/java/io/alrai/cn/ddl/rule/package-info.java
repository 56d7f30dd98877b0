/** Checks definitions and derives from them names, keys, placement and the texts for the shards. */
@NullMarked
package io.alrai.cn.ddl.rule;

import org.jspecify.annotations.NullMarked;
