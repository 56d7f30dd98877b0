/** One handler per COM_*. In: a packet. Out: a reply on its way. */
@NullMarked
package io.alrai.cn.command;

import org.jspecify.annotations.NullMarked;
