package io.alrai.gms.api;

/**
 * Numbers that belong to the one who reserved them.
 *
 * @param first inclusive
 * @param last inclusive
 */
public record SequenceRange(long first, long last) {}
