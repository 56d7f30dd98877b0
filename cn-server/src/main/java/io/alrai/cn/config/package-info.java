/** What a role's process is started with: its file, and the choices that are in it. */
@NullMarked
package io.alrai.cn.config;

import org.jspecify.annotations.NullMarked;
