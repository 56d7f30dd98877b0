/** The command line: up, down, status, demo, bench and the roles. */
@NullMarked
package io.alrai.cn.console;

import org.jspecify.annotations.NullMarked;
