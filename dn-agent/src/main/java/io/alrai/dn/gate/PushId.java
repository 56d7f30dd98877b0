package io.alrai.dn.gate;

/** The number that the agent gave to a push that another DN asked for. */
public record PushId(long number) {}
