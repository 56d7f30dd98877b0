/** Tests of the frames of compressed connections. */
@NullMarked
package io.alrai.cn.compress;

import org.jspecify.annotations.NullMarked;
