package io.alrai.dn.gate;

import io.alrai.common.id.DnId;
import java.util.function.Function;

/**
 * Where an agent lives.
 *
 * @param agents who is believed to lead a DN
 * @param rules of its gates
 * @param sessions of those who use it
 */
public record ModelPlace(
    World world,
    DnId dn,
    Function<DnId, ModelAgent> agents,
    GateRules rules,
    SessionRules sessions) {}
