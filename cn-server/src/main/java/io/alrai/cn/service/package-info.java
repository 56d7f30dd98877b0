/** What all sessions of a CN share, by who needs it. Made once, when the CN starts. */
@NullMarked
package io.alrai.cn.service;

import org.jspecify.annotations.NullMarked;
