/** Tests of logins, without a network. */
@NullMarked
package io.alrai.cn.protocol;

import org.jspecify.annotations.NullMarked;
