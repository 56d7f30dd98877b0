/**
 * What a session or the cluster has set: variables, character sets, diagnostics, the identity of a
 * client. Knows no session.
 */
@NullMarked
package io.alrai.cn.settings;

import org.jspecify.annotations.NullMarked;
