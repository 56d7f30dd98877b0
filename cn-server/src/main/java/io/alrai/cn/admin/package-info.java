/** SET, SHOW, KILL and the other statements the CN answers itself. */
@NullMarked
package io.alrai.cn.admin;

import org.jspecify.annotations.NullMarked;
