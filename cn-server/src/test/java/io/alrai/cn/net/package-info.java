/** Tests of how a client's bytes become commands. */
@NullMarked
package io.alrai.cn.net;

import org.jspecify.annotations.NullMarked;
