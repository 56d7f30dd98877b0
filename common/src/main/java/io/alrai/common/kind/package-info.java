/** The kinds of sealed types. In: a type. Out: its records. Any thread. */
@NullMarked
package io.alrai.common.kind;

import org.jspecify.annotations.NullMarked;
