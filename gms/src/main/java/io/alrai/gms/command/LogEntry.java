package io.alrai.gms.command;

/**
 * One entry of the replicated log.
 *
 * @param request names the submission: a second entry with the name of one that is still remembered
 *     gets the first one's answer and changes nothing. Empty for commands that may run twice.
 * @param command what it does
 */
public record LogEntry(String request, LogCommand command) {}
