/** Result sets made in the CN, for both protocols. */
@NullMarked
package io.alrai.cn.result;

import org.jspecify.annotations.NullMarked;
