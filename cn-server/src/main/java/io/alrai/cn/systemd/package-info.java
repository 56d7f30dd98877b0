/**
 * What Alrai and systemd say to each other: units, out of which come services, and what a process
 * says of itself, that it serves or that it ends.
 */
@NullMarked
package io.alrai.cn.systemd;

import org.jspecify.annotations.NullMarked;
