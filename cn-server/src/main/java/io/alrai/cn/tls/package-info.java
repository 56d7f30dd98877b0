/**
 * TLS for clients: certificates made or read at the start, and what makes a client's channel an
 * encrypted one. In comes a choice of files, out come handlers for channels. Files are read and
 * written by the thread that starts the process, handlers belong to event loops.
 */
@NullMarked
package io.alrai.cn.tls;

import org.jspecify.annotations.NullMarked;
