package io.alrai.dn.gate;

/** The number that the agent gave to an OPEN. */
public record OpenId(long number) {}
