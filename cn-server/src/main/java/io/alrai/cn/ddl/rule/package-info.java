/**
 * What a definition may be and what follows from it: names, keys, placement, texts for the shards.
 */
@NullMarked
package io.alrai.cn.ddl.rule;

import org.jspecify.annotations.NullMarked;
