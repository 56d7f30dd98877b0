package io.alrai.cn.protocol;

/**
 * Who wants to log in.
 *
 * @param user as given
 * @param host the client's address
 * @param encrypted whether the connection has TLS
 * @param changesExpired whether the client can deal with a password that has expired
 */
public record LoginAttempt(String user, String host, boolean encrypted, boolean changesExpired) {}
