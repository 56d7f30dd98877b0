/**
 * MySQL text to statement shapes, administrative statements and DDL. In: bytes as the client sent
 * them. Out: a shape key with its literals, and on first sight a tree.
 */
@NullMarked
package io.alrai.optimizer.parse;

import org.jspecify.annotations.NullMarked;
